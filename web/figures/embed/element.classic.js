// The elements as a classic script, for pages of other origins and those that are opened as files.
import './figures.js';
