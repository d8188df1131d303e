// What the list of lessons and the end of one need, and no scene.
import './glance.js';
import './list.css';
