// Package aqdef reads and writes the Q-DAS ASCII transfer format (AQDEF): a file .dfq with descriptions and values, or a file .dfd with the
// descriptions and a file .dfx with the values, one after the other.
//
// A line is a key, such as K2002/1, a blank and a text. The number after the slash is the characteristic; 0 is all of them, and a further
// number after a slash is that of a value. A line without a key has one value of each characteristic: 0x0F separates characteristics, and
// 0x14 their fields; keys after it add to these values. Lines end in CRLF or LF, each is in UTF-8 or windows-1252, and decimals have a
// point or a comma. Parts, characteristics and values are counted from 1.
//
// The parser refuses a line that it does not understand, with the number of the line. It ignores keys of descriptions that are not needed.
// The writer writes UTF-8 and values by key.
package aqdef
