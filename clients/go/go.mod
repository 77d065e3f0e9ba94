module heliograph

go 1.19
