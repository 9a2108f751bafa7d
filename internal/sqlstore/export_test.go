package sqlstore

// For external tests, which use packages that import this one.
var ApplicationID = applicationID
