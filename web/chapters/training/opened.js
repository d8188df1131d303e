// What takes one step apart. It comes when a step is first opened.
import './adam.js';
import './batch.js';
import './walkthrough.js';
import './opened.css';
