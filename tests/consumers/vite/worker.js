import * as glassformer from 'glassformer';
import { golden } from '../golden.js';

golden(glassformer).then(postMessage);
