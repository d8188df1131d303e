// Why a test may be skipped. tests/run.js counts each reason, and fails on any other: what `make test` can install, it
// installs.
import { existsSync } from 'node:fs';

export const REASONS = {
  sample: 'another SAMPLE runs it',
  all: 'make test-all runs it',
  consumers: 'tests/consumers/run.js installs what it needs',
  cases: 'the shared cases are not here',
  x86: 'this processor is not x86',
  fma: 'this processor has no FMA',
  proc: 'this system has no /proc',
  java: 'Spark needs Java',
  torch: 'pip has no PyTorch here',
};

/** For tests that download much, or take long. */
export const onlyInFull = process.env.FULL !== '1' && REASONS.all;

/** For tests in pages of other hosts. @param {string} file that an installation leaves */
export const unlessInstalled = (file) => !existsSync(file) && REASONS.consumers;
