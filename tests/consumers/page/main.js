import { golden } from '../golden.js';
import { show } from '../show.js';
import * as glassformer from './node_modules/glassformer/bindings/index.js';

show(golden(glassformer));
