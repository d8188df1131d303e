// What a lesson loads to look into the model of the stories: its weights.
import { give, weights } from './weights.js';

give({ weights });
