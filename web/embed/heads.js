// Opens the model of the stories for a lesson in another page: its weights lie beside the figures.
import { StoryModel } from '../inside/story-model.js';
import { beside } from './beside.js';

/** @param {import('../session.js').Session} session */
export const opened = async (session) =>
  new StoryModel(session.saved((await beside('stories.js')).weights));
