// Where the page's experiments read models: that of the stories comes from where the page does, others from files.
import { download } from '../reader/download.js';

export const file = new URL('../../../bindings/data/models/stories.safetensors', import.meta.url);

export const readStories = () => download(file);

export const loadReader = () => import('./files.js');
