// Package webhook sends web hooks as Standard Webhooks 1.0 (https://www.standardwebhooks.com), to addresses that a policy allows.
//
//	policy.go   which addresses are allowed, checked again for the address that is dialed
//	secret.go   the secret that signs
//	send.go     sending a request
package webhook
