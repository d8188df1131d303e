// What `using` calls, for a TypeScript or a target that has no name for it: each release declares the same.
interface SymbolConstructor {
  readonly dispose: unique symbol;
  readonly asyncDispose: unique symbol;
}
