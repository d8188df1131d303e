// The page of a package: its styles, its one element, and how high it is.
import '../../style/page.css';
import '../../style/matrix.css';
import '../../style/panels.css';
import '../../style/chapters.css';
import '../../style/print.css';
import { followHeight, frameResize } from '../embed/height.js';
import './assignment.css';
import './assignment.js';

if (parent !== window) followHeight((height) => parent.postMessage(frameResize(height), '*'));
