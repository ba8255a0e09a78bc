package dev.eremite.replay.store;

/**
 * What names a content, and what it is quickly recognised by.
 *
 * @param name the SHA-256 in 64 hexadecimal digits
 * @param checksum the CRC-32C in eight hexadecimal digits
 */
record BlobContent(String name, String checksum) {}
