import { golden } from '../golden.js';
import { show } from '../show.js';
import * as glassformer from './node_modules/glassformer/bindings/js/external/index.js';

show(golden(glassformer));
