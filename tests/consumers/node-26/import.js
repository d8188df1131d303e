import * as glassformer from 'glassformer';
import { golden } from '../golden.js';
import { tell } from '../tell.js';

tell('import', golden(glassformer));
