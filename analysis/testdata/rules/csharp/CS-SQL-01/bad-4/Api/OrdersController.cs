using Microsoft.AspNetCore.Mvc;

namespace Shop.Api;

[ApiController]
[Route("api/orders")]
public class OrdersController : ControllerBase
{
  private readonly OrderRepository repository;
  [HttpGet("{id}")]
  public async Task<IActionResult> Show(string id)
  {
    var order = repository.Find(id);
    return Ok(order);
  }
}
