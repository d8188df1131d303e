import * as glassformer from 'glassformer';
import { golden } from '../golden.js';
import { show } from '../show.js';

show(golden(glassformer));
