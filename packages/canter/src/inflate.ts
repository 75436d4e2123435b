// A file of its own, so that no more of fflate comes along.
export { gunzipSync } from 'fflate';
