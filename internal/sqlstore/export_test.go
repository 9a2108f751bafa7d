package sqlstore

// For external test packages, which import packages that import this one.
var ApplicationID = applicationID
