// The steps from scores to mix in one node.

export {};
