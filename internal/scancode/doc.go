// Package scancode reads the text of a scanned code and returns the records that it can name. Parse is a pure function without lookups:
// the caller finds out whether the record exists, and a station decides what to do with it.
//
// What is understood, by the kind and form of the reading:
//
//	kind     form      codes                                            what is read
//	ours     plain     SN-00417, ncr-00003, job_01K3..., any            the record; capitals do not matter
//	                   identifier that Routecard makes
//	ours     short     417, 00417, SN-417, NCR-3                        the unit or the report
//	ours     address   https://any.host/serials/SN-00417/print,         the record that the path names. The host does not count:
//	                   /scan?unit=SN-00417, /jobs/job_01K3...           a label outlives the name of a server
//	ours     elements, an identifier of ours as the serial number       the unit, if the code says nothing of a part or of who
//	         message   (21, 250, S, 1S, ...) or in 90 to 99             numbered it; with a part it is a number of that part's units
//	command  plain     RC- and more                                     the command in capitals, also one that no station knows
//	badge    plain     RC-ID- and more                                  the badge, which is a secret
//	marked   number    EAN-13, UPC-A, EAN-8, GTIN-14                     the GTIN
//	marked   elements  ]C1..., ]d2..., ]Q3..., (01)...(21)...            01, 21, 240, 241, 10, 250, 8004; every other application
//	                                                                    identifier is walked past by its length
//	marked   link      https://id.gs1.org/01/.../21/...?240=...         the same. Any host and stem, GTINs of 8 to 14 digits
//	marked   message   [)> RS 05 GS ... RS EOT                          the same, in an envelope of ISO/IEC 15434
//	                   [)> RS 06 GS 17V... GS 1P... GS S... RS EOT      data identifiers S, 1S, 18S, 25S, 1P, P, 2P, 1T, 17V, and
//	                                                                    those for other enterprises 12V, 18V, 3V, 7L
//	                   [)> RS 12 GS MFR... GS PNO... GS SEQ... RS EOT   text element identifiers CAG, MFR, SPL, DUN, EUC, SER, UCN,
//	                                                                    PNO, PNR, SEQ, LOT, LTN, UID; also format DD
//	text     plain     anything else that can be read, in one line      the text, up to 200 characters: a serial number without a
//	                                                                    standard, or an external identifier
//
// A symbology identifier (ISO/IEC 15424: a bracket, a letter, a modifier) is cut off. The identifiers of GS1 symbols say that an element
// string follows, and those of EAN and UPC that a GTIN follows. Content that is not what its symbology identifier says is read as if there
// were no identifier. Data identifiers outside of a message are text: S786950 may be a serial number as it stands.
//
// Check digits and dates must be right. A GS1 code with a wrong check digit or date is not read as a GS1 code.
//
// # What scanners do to codes
//
//   - Byte order marks, CR, NUL and other control characters that separate nothing are dropped, as are blanks at the ends.
//   - Separators may stand as they are, or as their names (<GS>, {GS}, ␝, ^], \x1d and others). In an element string, any character outside
//     GS1's set may stand for a separator; in the header of a message, any character that is neither letter nor digit.
//   - GS, RS and EOT may be lost, and the header of a message in part. Then an element can end wherever another element can begin. Of an
//     element string, the reading without a lost separator comes first. Of a message, the readings that make a unique item identifier come
//     first.
//
// # Ambiguous codes
//
// Readings come in the order of their certainty, at most 16 of them: a number is a unit's, then a GTIN, then a text. Do not act on the
// first reading alone if another reading names another existing record. Unit returns a unit only where the identifiers agree.
//
// A code of more than 1,000 bytes names nothing, and a message of more than 200 without separators is not split.
package scancode
