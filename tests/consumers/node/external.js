import * as glassformer from 'glassformer/external';
import { golden } from '../golden.js';
import { tell } from '../tell.js';

tell('external', golden(glassformer));
