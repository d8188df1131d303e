// Runs unit tests of the Python package in Pyodide: node in_pyodide.js DISTRIBUTION WHEEL FOLDER MODULE...
// DISTRIBUTION is a folder with Pyodide, and numpy and micropip if modules are to run; FOLDER is what GLASSFORMER_NODE
// names. Without a module, the library alone is loaded, and tests itself: so nothing need be there but Pyodide.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [place, wheel, folder, ...modules] = process.argv.slice(2);
const distribution = path.resolve(place);
const root = path.resolve(import.meta.dirname, '../..');
const { loadPyodide } = await import(pathToFileURL(path.join(distribution, 'pyodide.mjs')).href);
const pyodide = await loadPyodide({ indexURL: `${distribution}/` });
const packed = `/${path.basename(wheel)}`;
pyodide.FS.writeFile(packed, readFileSync(wheel));

/** Folders of this machine, by their own names. */
for (const folderHere of [root, folder].filter(Boolean)) {
  pyodide.FS.mkdirTree(folderHere);
  pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root: folderHere }, folderHere);
}

const LIBRARY = `
import ctypes, json, sys, zipfile
zipfile.ZipFile(${JSON.stringify(packed)}).extractall("/lib")
library = ctypes.CDLL("/lib/glassformer/libglassformer.so")
abi = json.load(open("/lib/glassformer/data.json"))["constants"]["GF_ABI"]
json.dumps([sys.version_info[:2], library.gf_abi() == abi, library.gf_self_test()])
`;

const SUITE = `
import io, os, sys, unittest
os.environ["GLASSFORMER_NODE"] = ${JSON.stringify(folder)}
os.chdir(${JSON.stringify(root)})
sys.path.insert(0, "tests/python")
loader, said = unittest.defaultTestLoader, io.StringIO()
suite = unittest.TestSuite(map(loader.loadTestsFromName, ${JSON.stringify(modules)}))
unittest.TextTestRunner(said).run(suite)
said.getvalue()
`;

if (modules.length) {
  await pyodide.loadPackage(['numpy', 'micropip']);
  await pyodide.runPythonAsync(`import micropip\nawait micropip.install("emfs:${packed}")`);
}
console.log(pyodide.runPython(modules.length ? SUITE : LIBRARY));
