using Dapper;
using Microsoft.AspNetCore.Mvc;

namespace Shop.Api;

[ApiController]
[Route("api/orders")]
public class OrdersController : ControllerBase
{
  private readonly IDbConnection connection;
  [HttpGet("{id}")]
  public async Task<IActionResult> Show()
  {
    var name = Request.Query["name"].ToString();
    var sql = "select * from orders where name = '" + name.Trim() + "'";
    var rows = await connection.QueryAsync<Order>(sql); // ← here
    return Ok(rows);
  }
}
