module cowrie.example/cowrie

go 1.19
