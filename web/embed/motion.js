// What moves in figures, in a file beside them.
import '../elements/motion.js';
