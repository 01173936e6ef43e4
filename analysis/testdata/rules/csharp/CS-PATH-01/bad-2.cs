var builder = WebApplication.CreateBuilder(args);
var app = builder.Build();

app.MapGet("/orders/{id}", async (string id) =>
{
  var text = await File.ReadAllTextAsync($"/data/{id}.txt"); // ← here
  return Results.Text(text);
});

app.Run();
