class ItemsController < ApplicationController
  def show
    @config = YAML.load(params[:config]) # ← here
  end
end
