var builder = WebApplication.CreateBuilder(args);
var app = builder.Build();

app.MapGet("/orders/{id}", async (string id, ShopContext db) =>
{
  var rows = db.Orders.FromSqlInterpolated($"select * from Orders where Name = {id}").ToList();
  return Results.Ok(rows);
});

app.Run();
