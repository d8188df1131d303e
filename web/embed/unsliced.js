// No model of a figure is so large that it would be computed in slices.
export { Steps as SlicedSteps } from '../../bindings/trace/steps.js';
