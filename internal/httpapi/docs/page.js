// Shows the contract that this service serves. Everything comes from the service itself: no validator badge, no fonts.
SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#viewer',
  deepLinking: true, // #/Serials/advanceSerial opens that operation
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  tryItOutEnabled: false,
  filter: true,
  validatorUrl: null,
});
