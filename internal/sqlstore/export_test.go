package sqlstore

// For tests from outside, which also use what imports this package.
var ApplicationID = applicationID
