// The file that a lesson loads for the model of the stories: its weights.
import { give, weights } from './weights.js';

give({ weights });
