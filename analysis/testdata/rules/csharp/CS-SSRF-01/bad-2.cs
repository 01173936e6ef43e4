var builder = WebApplication.CreateBuilder(args);
var app = builder.Build();

app.MapGet("/orders/{id}", async (string id, HttpClient http) =>
{
  var request = new HttpRequestMessage(HttpMethod.Get, $"https://{id}/status"); // ← here
  return Results.Ok(await http.SendAsync(request));
});

app.Run();
