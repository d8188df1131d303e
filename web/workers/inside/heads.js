// Opens the model of the stories for a look at its heads.
import { trained } from './core.js';
import { readStories } from './sources.js';
import { StoryModel } from './story-model.js';

/** @param {import('../../app/session.js').Session} session */
export const opened = async ({ core }) => new StoryModel(trained(core, await readStories()));
