var builder = WebApplication.CreateBuilder(args);
var app = builder.Build();

app.MapGet("/orders/{id}", async (Guid id) =>
{
  var text = await File.ReadAllTextAsync($"/data/{id}.txt");
  return Results.Text(text);
});

app.Run();
