/** The day that people are told is the day on which the sweep deletes. */
export { nextExpiry as expiresMs } from '../storage/retention';
