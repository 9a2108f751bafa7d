// Package aqdef reads the Q-DAS ASCII transfer format (AQDEF): a file .dfq with descriptions and values, or a file .dfd with the
// descriptions and a file .dfx with the values.
//
// A line is a key, such as K2002/1, a blank and a text. The number after the slash is the characteristic. A line without a key that
// follows the descriptions has one value of each characteristic: 0x0F separates characteristics, and 0x14 their fields. Lines end in CRLF
// or LF, the text is UTF-8 or windows-1252, and decimals have a point or a comma.
//
// What this package does not understand it refuses with the number of the line. Keys of descriptions that nobody here needs are read over.
package aqdef
