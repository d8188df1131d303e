// What moves in figures, and the geometric view, in a file beside them.
import '../elements/arrows.js';
import '../elements/geometry.js';
import '../elements/motion.js';
