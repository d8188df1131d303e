// The elements as a classic script, for pages that are opened as files.
import './figures.js';
