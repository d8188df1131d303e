import * as glassformer from 'glassformer/external';
import { golden } from '../golden.js';
import { show } from '../show.js';

show(golden(glassformer));
