/** Program text as files hold it: where its functions begin, and which of its instructions cannot run as they are. */
package dev.eremite.replay.text;
