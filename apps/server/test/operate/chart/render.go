// Renders a chart as Helm does: Go's own templates, with those of Helm's functions that the chart uses. Reads a JSON object
// with files, by name, and the objects that templates see; writes the text of each file that is no part of others.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"text/template"
)

type input struct {
	Files map[string]string
	Scope map[string]interface{}
}

func empty(value interface{}) bool {
	return value == nil || value == "" || value == false || value == float64(0)
}

func asJson(value interface{}) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func main() {
	var given input
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		panic(err)
	}
	chart := template.New("chart").Option("missingkey=error")
	chart.Funcs(template.FuncMap{
		"include": func(name string, scope interface{}) (string, error) {
			var out bytes.Buffer
			err := chart.ExecuteTemplate(&out, name, scope)
			return strings.Trim(out.String(), "\n"), err
		},
		"indent": func(spaces int, text string) string {
			margin := strings.Repeat(" ", spaces)
			return margin + strings.ReplaceAll(text, "\n", "\n"+margin)
		},
		// JSON is YAML.
		"toYaml":    asJson,
		"toJson":    asJson,
		"quote":     func(value interface{}) string { return fmt.Sprintf("%q", fmt.Sprint(value)) },
		"toString":  func(value interface{}) string { return fmt.Sprint(value) },
		"sha256sum": func(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) },
		"default": func(fallback, value interface{}) interface{} {
			if empty(value) {
				return fallback
			}
			return value
		},
	})
	for name, text := range given.Files {
		template.Must(chart.New(name).Parse(text))
	}
	rendered := map[string]string{}
	for name := range given.Files {
		if strings.HasPrefix(name, "_") {
			continue
		}
		var out bytes.Buffer
		if err := chart.ExecuteTemplate(&out, name, given.Scope); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		rendered[name] = out.String()
	}
	json.NewEncoder(os.Stdout).Encode(rendered)
}
