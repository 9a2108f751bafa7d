// Package client calls a running Routecard from Go.
//
// Every operation of the interface is a method, such as [Client.CreateJob]. The methods and their types are generated from the OpenAPI
// document; further needs of programs are written by hand:
//
//   - A change is made once, however often its request is repeated. The client gives each request a key (Idempotency-Key) and
//     repeats it with that key while the connection breaks or the service is busy, for as long as [Settings] says. A request for
//     which the interface takes no key, such as signing in, is sent once.
//   - A refusal is an [*Error] with the code and the field of the interface.
//   - [Client.EachSerial] and its neighbours read long lists page by page.
//   - [Client.Events] follows the audit trail, over restarts of the service, without missing an entry.
//
// Fields and codes that a newer service adds are ignored. An optional field of a request is a pointer, since omitting it means something
// else than sending an empty value: client.UpdateJobRequest{GoalQuantity: new(int64(25))}. userId and changedBy are plain, and omitted when
// they are empty: with authentication the service knows its caller.
package client
