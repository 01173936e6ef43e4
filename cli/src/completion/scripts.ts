// The shell scripts. At each Tab they call "cowrie __complete".

const BASH = `# Completion of cowrie for bash: put it into ~/.bash_completion, or load it with
#   source <(cowrie completion bash)
_cowrie() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" line
  COMPREPLY=()
  [ "$cur" = "=" ] && cur=
  while IFS= read -r line; do
    case "$line" in
      :files | :folders)
        compopt -o filenames 2>/dev/null
        local kind=-f found
        [ "$line" = :folders ] && kind=-d
        while IFS= read -r found; do COMPREPLY+=("$found"); done < <(compgen "$kind" -- "$cur")
        ;;
      *) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <(cowrie __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _cowrie cowrie
`

const ZSH = `#compdef cowrie
# Completion of cowrie for zsh: put it as _cowrie into a folder of $fpath, or load it with
#   source <(cowrie completion zsh)
_cowrie() {
  local line word summary
  local -a described
  while IFS= read -r line; do
    case "$line" in
      :files) _files ;;
      :folders) _files -/ ;;
      *)
        word="\${line%%$'\\t'*}"
        summary=
        [[ "$line" == *$'\\t'* ]] && summary="\${line#*$'\\t'}"
        described+=("\${word//:/\\\\:}\${summary:+:$summary}")
        ;;
    esac
  done < <(cowrie __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  (( \${#described} )) && _describe cowrie described
}
compdef _cowrie cowrie
`

const FISH = `# Completion of cowrie for fish: put it into ~/.config/fish/completions/cowrie.fish, or load it with
#   cowrie completion fish | source
function __cowrie_complete
    set -l given (commandline -opc) (commandline -ct)
    for line in (cowrie __complete -- $given[2..-1] 2>/dev/null)
        switch $line
            case :files
                __fish_complete_path (commandline -ct)
            case :folders
                __fish_complete_directories (commandline -ct)
            case '*'
                printf '%s\\n' $line
        end
    end
end
complete -c cowrie -f -a '(__cowrie_complete)'
`

const POWERSHELL = `# Completion of cowrie for PowerShell: add this to $PROFILE, or load it with
#   cowrie completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName cowrie -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $given = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
    if ($wordToComplete -eq '') { $given += '' }
    cowrie __complete '--' @given 2>$null | ForEach-Object {
        if ($_ -eq ':files' -or $_ -eq ':folders') {
            [System.Management.Automation.CompletionCompleters]::CompleteFilename($wordToComplete)
        }
        else {
            $word, $summary = $_ -split [char]9, 2
            if (-not $summary) { $summary = $word }
            [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $summary)
        }
    }
}
`

export const SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH, powershell: POWERSHELL } as const
export type Shell = keyof typeof SCRIPTS
export const isShell = (name: string): name is Shell => Object.hasOwn(SCRIPTS, name)
