var builder = WebApplication.CreateBuilder(args);
var app = builder.Build();

app.MapGet("/orders/{id}", async (string id) =>
{
  Process.Start("bash", $"-c \"convert {id}\""); // ← here
  return Results.Ok();
});

app.Run();
