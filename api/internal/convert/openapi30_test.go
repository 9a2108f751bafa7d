package convert

import (
	"strings"
	"testing"
)

func TestOpenAPI30(t *testing.T) {
	const document = `
openapi: 3.1.0
info: { title: T, version: 1.0.0, summary: S, license: { name: L, identifier: Apache-2.0 } }
paths:
  /a:
    get:
      parameters:
        - { name: q, in: query, schema: { type: [integer, 'null'], minimum: 0 }, examples: { one: { value: { const: 1 } } } }
      responses:
        '200': { content: { application/json: { schema: { type: array, items: { $ref: '#/a' } }, example: { examples: [1] } } } }
components:
  examples: { e: { value: { type: [string, 'null'], const: 1 } } }
  schemas:
    A: { type: string, examples: [one, two], enum: [one, two], x-enum-varnames: [AOne, ATwo] }
    B:
      type: object
      properties:
        examples: { $ref: '#/a', description: D }
        const: { const: true }
        both: { type: boolean, const: true }
        many: { oneOf: [{ $ref: '#/a' }, { $ref: '#/b', description: D }] }
      additionalProperties: { type: [string, 'null'], enum: [x, null] }
`
	const want = `{
  "openapi": "3.0.3",
  "info": {
    "title": "T",
    "version": "1.0.0",
    "license": {
      "name": "L",
      "url": "https://spdx.org/licenses/Apache-2.0.html"
    }
  },
  "paths": {
    "/a": {
      "get": {
        "parameters": [
          {
            "name": "q",
            "in": "query",
            "schema": {
              "type": "integer",
              "minimum": 0,
              "nullable": true
            },
            "examples": {
              "one": {
                "value": {
                  "const": 1
                }
              }
            }
          }
        ],
        "responses": {
          "200": {
            "content": {
              "application/json": {
                "schema": {
                  "type": "array",
                  "items": {
                    "$ref": "#/a"
                  }
                },
                "example": {
                  "examples": [
                    1
                  ]
                }
              }
            }
          }
        }
      }
    }
  },
  "components": {
    "examples": {
      "e": {
        "value": {
          "type": [
            "string",
            "null"
          ],
          "const": 1
        }
      }
    },
    "schemas": {
      "A": {
        "type": "string",
        "example": "one",
        "enum": [
          "one",
          "two"
        ],
        "x-enum-varnames": [
          "AOne",
          "ATwo"
        ]
      },
      "B": {
        "type": "object",
        "properties": {
          "examples": {
            "description": "D",
            "allOf": [
              {
                "$ref": "#/a"
              }
            ]
          },
          "const": {
            "enum": [
              true
            ],
            "type": "boolean"
          },
          "both": {
            "type": "boolean",
            "enum": [
              true
            ]
          },
          "many": {
            "oneOf": [
              {
                "$ref": "#/a"
              },
              {
                "description": "D",
                "allOf": [
                  {
                    "$ref": "#/b"
                  }
                ]
              }
            ]
          }
        },
        "additionalProperties": {
          "type": "string",
          "enum": [
            "x",
            null
          ],
          "nullable": true
        }
      }
    }
  }
}
`
	got, err := OpenAPI30([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestOpenAPI30RefusesWhatItCannotSay(t *testing.T) {
	schema := func(text string) string {
		return "openapi: 3.1.0\ncomponents:\n  schemas:\n    A: " + text
	}
	for name, test := range map[string]struct{ document, message string }{
		"empty":                 {"", "there is no document"},
		"a list":                {"[1]", "it is not a document of OpenAPI 3.1"},
		"another version":       {"openapi: 3.0.3", "it is not a document of OpenAPI 3.1"},
		"webhooks":              {"openapi: 3.1.0\nwebhooks: {}", "line 2: OpenAPI 3.0 has no webhooks"},
		"shared path items":     {"openapi: 3.1.0\ncomponents:\n  pathItems: {}", "line 3: OpenAPI 3.0 has no shared pathItems"},
		"beside a reference":    {"openapi: 3.1.0\npaths:\n  /a: { $ref: x, summary: s }", "line 3: in OpenAPI 3.0 nothing stands beside a reference"},
		"a schema that is true": {schema("true"), "line 4: in OpenAPI 3.0 a schema is an object"},
		"two types":             {schema("{ type: [string, integer] }"), "line 4: in OpenAPI 3.0 a value has one type"},
		"two types and null":    {schema("{ type: [string, integer, 'null'] }"), "line 4: in OpenAPI 3.0 a value has one type"},
		"a null never allowed":  {schema("{ type: [string, 'null'], enum: [a] }"), "line 4: null is a type of the value"},
		"no other type":         {schema("{ anyOf: [{ type: string }, { type: 'null' }] }"), "line 4: OpenAPI 3.0 has no type null"},
		"no example":            {schema("{ examples: [] }"), "line 4: there is no example"},
		"a new keyword":         {schema("{ items: { prefixItems: [] } }"), "line 4: prefixItems is not known in OpenAPI 3.0"},
		"an anchor":             {schema("&a { type: string }"), "line 4: anchors are not supported"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := OpenAPI30([]byte(test.document))
			if err == nil {
				t.Fatalf("got %s, want an error", got)
			}
			if !strings.Contains(err.Error(), test.message) {
				t.Errorf("got error %q, want it to contain %q", err, test.message)
			}
		})
	}
}
