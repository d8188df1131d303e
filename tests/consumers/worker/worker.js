import { golden } from '../golden.js';
import * as glassformer from './node_modules/glassformer/bindings/index.js';

postMessage(await golden(glassformer));
