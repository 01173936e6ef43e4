class ItemsController < ApplicationController
  def show
    template = params[:template]
    @html = ERB.new(template).result(binding) # ← here
  end
end
