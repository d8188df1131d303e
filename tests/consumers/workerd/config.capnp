using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);

const worker :Workerd.Worker = (
  compatibilityDate = "2026-01-01",
  modules = [
    (name = "worker.js", esModule = embed "dist/worker.js"),
    (name = "glassformer/core.wasm",
     wasm = embed "node_modules/glassformer/bindings/generated/glassformer.wasm"),
  ],
);
