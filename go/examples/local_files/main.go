// Lets the agent work on a folder of this machine: the files stay here, and this program runs the tools.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"strings"

	"cowrie.example/cowrie"
)

func main() {
	if len(os.Args) != 3 {
		log.Fatal(`Usage: local_files FOLDER "PROMPT"`)
	}
	root, err := filepath.Abs(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	client := cowrie.New("", "")
	task, err := client.Tasks.Create(ctx, cowrie.NewTask{
		Workspace: cowrie.NewTaskWorkspace{Kind: "client", Name: cowrie.Ptr(filepath.Base(root))},
	})
	if err != nil {
		log.Fatal(err)
	}
	quote, err := client.Tasks.Quote(ctx, task.ID, &cowrie.TasksQuoteBody{Prompt: &os.Args[2]})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("It costs at most %d.\n", quote.MaxMinor)
	if _, err := client.Tasks.Turn(ctx, task.ID, cowrie.NewTaskTurn{Prompt: os.Args[2], MaxMinor: &quote.MaxMinor}); err != nil {
		log.Fatal(err)
	}
	turn, err := client.RunClientTools(ctx, task.ID, "", func(_ context.Context, call cowrie.ToolCall) (cowrie.ToolOutcome, error) {
		fmt.Println(call.Tool)
		output, err := run(root, call)
		return cowrie.ToolOutcome{Output: output}, err
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s, cost %d\n", *turn.StopReason, turn.SpentMinor)
}

type input struct {
	Path  string
	Edits []struct{ Find, Replace string }
}

// An error is a result that the model reads. There is no "run": it would run commands here.
func run(root string, call cowrie.ToolCall) (string, error) {
	var given input
	if err := json.Unmarshal(call.Input, &given); err != nil {
		return "", err
	}
	path, err := inside(root, given.Path)
	if err != nil {
		return "", err
	}
	switch call.Tool {
	case "list":
		return list(root)
	case "read":
		content, err := os.ReadFile(path)
		return string(content), err
	case "edit":
		content, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		text := string(content)
		for _, edit := range given.Edits {
			if strings.Count(text, edit.Find) != 1 {
				return "", fmt.Errorf("%s does not contain %q exactly once", given.Path, edit.Find)
			}
			text = strings.Replace(text, edit.Find, edit.Replace, 1)
		}
		return "Changed " + given.Path, os.WriteFile(path, []byte(text), 0o644)
	}
	return "", errors.New("this program does not offer " + call.Tool)
}

// The service sends clean paths. Never trust that: a path must not leave the folder.
func inside(root, path string) (string, error) {
	full := filepath.Join(root, path)
	if full != root && !strings.HasPrefix(full, root+string(filepath.Separator)) {
		return "", errors.New(path + " is outside of the folder")
	}
	return full, nil
}

func list(root string) (string, error) {
	var names []string
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			name, _ := filepath.Rel(root, path)
			names = append(names, filepath.ToSlash(name))
		}
		return err
	})
	return strings.Join(names, "\n"), err
}
